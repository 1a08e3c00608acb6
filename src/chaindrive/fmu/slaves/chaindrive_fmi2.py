"""A chain drive that runs in the Python of the importing tool: FMI 2.0, called by pythonfmu."""

from chaindrive_here import Slave
from pythonfmu import Fmi2Slave
from pythonfmu.enums import Fmi2Status


class Drive(Slave, Fmi2Slave):
    """One instance of the drive."""

    statuses = Fmi2Status

    def get_real(self, vrs: list[int]) -> list[float]:
        """Return the values of variables."""
        return self.read(vrs)

    def set_real(self, vrs: list[int], values: list[float]) -> None:
        """Set inputs and parameters."""
        self.write(vrs, values)

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Advance; returns False if the run ends within the step."""
        return self.advance(current_time, step_size)
