"""The editor: a drive drawn, edited and checked in a browser on this machine."""
