"""A chain drive that runs in the Python of the importing tool: FMI 3.0, called by pythonfmu3."""

from chaindrive_here import Slave
from pythonfmu3 import Fmi3Slave, Fmi3Status, Fmi3StepResult


class Drive(Slave, Fmi3Slave):
    """One instance of the drive."""

    statuses = Fmi3Status

    def get_float64(self, vrs: list[int]) -> list[float]:
        """Return the values of variables."""
        return self.read(vrs)

    def set_float64(self, vrs: list[int], values: list[float]) -> None:
        """Set inputs and parameters."""
        self.write(vrs, values)

    def do_step(self, current_time: float, step_size: float) -> Fmi3StepResult:
        """Advance; the step is discarded and termination requested if the run ends within it."""
        if self.advance(current_time, step_size):
            return Fmi3StepResult()
        return Fmi3StepResult(status=Fmi3Status.discard, terminateSimulation=True)
