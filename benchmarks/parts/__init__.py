"""The parts of the benchmark: each has ``run(quick) -> Section``."""
