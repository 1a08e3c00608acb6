"""The report: results as one HTML file that any browser opens without a network."""

from chaindrive.report.campbell import write_campbell
from chaindrive.report.write import Report, check_report, write_report

__all__ = ["Report", "check_report", "write_campbell", "write_report"]
