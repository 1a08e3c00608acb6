"""A bicycle as one describes it, and the drive that it stands for."""
