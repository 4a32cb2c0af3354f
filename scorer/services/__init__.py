"""What people do: start a session, record a deal, put it right, let another phone in.

A service takes plain arguments, makes one commit and returns a value. It knows no form and no
request.
"""
