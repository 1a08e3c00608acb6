"""The editor, in which a drive is drawn, edited and checked in a browser on this machine."""
