// The pages for maintainers name files that are there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (path) => `/${path.replaceAll('\\', '/')}`,
  ),
);
const rooms = ['cli', 'core', 'http', 'importing', 'reporting', 'source', 'store'];
const pages = ['README.md', 'recipes.md', 'decisions.md', ...rooms.map((room) => `${room}/README.md`)];

describe.each(pages)('src/%s', (page) => {
  it('names files that are there', () => {
    const text = readFileSync(join(root, 'src', page), 'utf8');
    const named = [...text.matchAll(/`(?:src\/|test\/)?([\w./-]+\.(?:ts|json|sql|mjs))`/g)].map(
      ([, name = '']) => name,
    );
    const invented = /^x\.|^package\.json$/;
    const lost = named.filter((name) => !invented.test(name) && !files.some((file) => file.endsWith(`/${name}`)));
    expect(lost).toEqual([]);
  });
});

it('every room has its page, which the first page links', () => {
  const text = readFileSync(join(root, 'src/README.md'), 'utf8');
  expect(rooms.filter((room) => !text.includes(`](${room}/README.md)`))).toEqual([]);
  expect(text).toContain('](recipes.md)');
});
