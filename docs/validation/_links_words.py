"""What the page of rigid links says about its tables and pictures."""

CONVERGENCE = ""
ARRIVALS = ""
CYCLE = ""
ORDERS = ""
SLOW = ""
RUN_UP_WORDS = ""
TABLE = ""
ADVICE = dict.fromkeys(("v6-timing", "pfeiffer-roller", "industrial-08b", "6s90mc-c"), "")
