// /docs: the API reference in a browser, by Swagger UI. Its files are served by this server and loaded on first use;
// the page's policy forbids requests to other hosts.
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isKnownToClient } from './reads/entity-tag.js';

const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' } as const;

/** The files by their paths. */
const files: ReadonlyMap<string, string> = new Map([
  ['/docs', 'index.html'],
  ...['docs.css', 'docs.js', 'swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => [`/docs/${name}`, name] as const),
]);

/** The paths that are served here. */
export const docsPaths: readonly string[] = [...files.keys()];

/** Scripts and styles come from this server, and the page connects to this server only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface LoadedFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly packed: Buffer;
}

/** A file of the page; those of Swagger UI are next to it in a build, else in their package. */
async function read(name: string): Promise<Buffer> {
  try {
    return await readFile(new URL(`./docs/${name}`, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
  }
}

async function load(name: string): Promise<LoadedFile> {
  const plain = await read(name);
  const packed = await promisify(gzip)(plain);
  const etag = `"${hash('sha256', plain, 'base64url').slice(0, 22)}"`;
  const extension = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types;
  return { type: `${types[extension]}; charset=utf-8`, etag, plain, packed };
}

/** Sends a file of the documentation. */
type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Serves the page and its files. They need no key. @returns sends the page that a browser gets at the root */
export function serveDocs(app: FastifyInstance): SendPage {
  const loaded = new Map<string, Promise<LoadedFile>>();

  function fileOf(name: string): Promise<LoadedFile> {
    const file = loaded.get(name) ?? load(name);
    loaded.set(name, file);
    // After a failed read it is tried again.
    file.catch(() => loaded.delete(name));
    return file;
  }

  for (const [path, name] of files) {
    app.get(path, async (request, reply) => sendFile(request, reply, await fileOf(name)));
  }
  return async (request, reply) => sendFile(request, reply, await fileOf('start.html'));
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: LoadedFile): FastifyReply {
  reply.headers({
    etag: file.etag,
    'cache-control': 'no-cache',
    // Added to the headers of cors.ts.
    vary: [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '),
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
  });
  if (isKnownToClient(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  reply.header('content-type', file.type);
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(request.headers['accept-encoding'] ?? '')))
    return reply.send(file.plain);
  return reply.header('content-encoding', 'gzip').send(file.packed);
}
