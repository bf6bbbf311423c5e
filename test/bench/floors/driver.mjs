// The driver of SQLite that fits the running Node, as the program chooses it.
const isNode20 = Number.parseInt(process.versions.node, 10) < 22;
export const { default: Database } = await import(isNode20 ? 'better-sqlite3-12' : 'better-sqlite3');
