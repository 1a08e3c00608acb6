"""The report: results as a single HTML file that any browser can open without a network connection."""

from chaindrive.report.campbell import write_campbell
from chaindrive.report.write import Report, check_report, write_report

__all__ = ["Report", "check_report", "write_campbell", "write_report"]
