"""Supports and motions of the wheels: bodies in a tree of joints, elements between them, prescribed motions."""
