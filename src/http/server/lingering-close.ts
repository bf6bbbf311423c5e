// Closes a connection whose sender may still be sending. Closing at once, with bytes unread, resets the connection, and
// a reset may destroy the response before the client has read it. So: respond, end our side, discard a little, then
// close.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum bytes that are discarded; beyond them the network's flow control applies. */
const mostDiscarded = 64 * 1024;

/** Milliseconds until the connection is closed, whatever the client does. */
const longestLinger = 1000;

/** Whether the request has a body that did not arrive whole. */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Closes the connection of a request gracefully once the response with `Connection: close` is written. */
export function lingerAfterAnswer(request: IncomingMessage): void {
  const { socket } = request;
  // Set before the response is written: afterwards Node would read and discard the rest without a limit.
  discard(request);
  // Node calls this after a response with `Connection: close`. Its own version ends and destroys the socket at once.
  socket.destroySoon = () => endGently(socket);
}

/** Ends our side of a connection and closes it when the client has closed its side, or a second later. */
export function endGently(socket: Socket): void {
  if (socket.destroyed) return;
  socket.on('error', () => socket.destroy());
  const close = setTimeout(() => socket.destroy(), longestLinger);
  socket.once('close', () => clearTimeout(close));
  socket.once('end', () => socket.destroy());
  socket.end();
}

function discard(request: IncomingMessage): void {
  let discarded = 0;
  request.on('error', () => {});
  request.removeAllListeners('data').on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > mostDiscarded) request.pause();
  });
  request.resume();
}
