"""The chain drive block, with massless spans between wheels, modelled on Simscape's Chain Drive block."""
