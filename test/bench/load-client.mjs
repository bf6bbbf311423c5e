// A client for measuring: bare sockets, since a comfortable one would cost as much as the server it measures.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The program as it is built. */
export const bin = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));

/** Makes a key for everything. */
export function newKey(db) {
  const args = [bin, 'keys', 'create', '--name', 'load', '--all', '--db', db];
  return String(execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })).trim();
}

/** Starts a server that prints `listening on <url>`. */
export function start(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout.on('data', (data) => {
      const url = /listening on (\S+)/.exec(String(data))?.[1];
      if (url) resolve({ child, url: new URL(url) });
    });
  });
}

const nothing = Buffer.alloc(0);

/** The bytes of a response with its body; Infinity before its header is whole. */
function wholeLength(response) {
  const head = response.indexOf('\r\n\r\n');
  if (head < 0) return Number.POSITIVE_INFINITY;
  const header = response.latin1Slice(0, head);
  let at = header.indexOf('ontent-');
  while (at >= 0 && header.slice(at + 7, at + 14).toLowerCase() !== 'length:') at = header.indexOf('ontent-', at + 7);
  return head + 4 + Number.parseInt(header.slice(at + 14), 10);
}

/**
 * Sends requests over kept-alive connections until it is over; `next` makes the bytes of each.
 * With a `pace` (requests a second) each is sent at its time, else as soon as the one before was answered.
 */
export async function load(url, next, { isOver, connections, pace }) {
  const times = [];
  const statuses = new Map();
  async function converse() {
    const socket = connect(Number(url.port), url.hostname).setNoDelay(true);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    let answered;
    let received = nothing;
    socket.on('data', (data) => {
      received = received.length === 0 ? data : Buffer.concat([received, data]);
      if (received.length < wholeLength(received)) return;
      const status = received.latin1Slice(9, 12);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      received = nothing;
      answered();
    });
    let due = performance.now() + Math.random() * 20;
    for (let bytes = next(); bytes !== undefined && !isOver(); bytes = next()) {
      if (pace) {
        due = Math.max(due + (connections / pace) * 1000, performance.now());
        await sleep(due - performance.now());
      }
      const began = performance.now();
      const answer = new Promise((resolve) => {
        answered = resolve;
      });
      socket.write(bytes);
      await answer;
      times.push(performance.now() - began);
    }
    socket.destroy();
  }
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, converse));
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(2);
  const rate = times.length / ((performance.now() - began) / 1000);
  return { rate, count: times.length, p50: at(0.5), p99: at(0.99), statuses: [...statuses].join(' ') };
}

/** CPU time of a process so far, in microseconds; where /proc tells it. */
export function cpuOf({ pid }) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return Number.NaN;
  }
}
