/// The description of a connection, in the place of the Kit's: what identities ask of it stands in a file of its own.
public enum ConnectionDescriptor {}
