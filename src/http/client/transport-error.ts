// Why no complete response arrived.

/** Thrown where no complete response arrived. The message is a predicate of "the remote"; `code` is the system's. */
export class TransportError extends Error {
  override readonly name = 'TransportError';

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The failure of a connection. */
export function transportError(cause: unknown): TransportError {
  const { message, code = '' } = cause as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'refused the connection',
    ECONNRESET: 'closed the connection before its answer was whole',
    UND_ERR_SOCKET: 'closed the connection before its answer was whole',
    UND_ERR_CONNECT_TIMEOUT: 'could not be reached in time',
    ENOTFOUND: 'is a name that is not found',
  };
  return new TransportError(code, words[code] ?? `could not be reached (${message})`, { cause });
}
