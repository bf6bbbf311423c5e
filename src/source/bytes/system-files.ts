// Files that nobody put into a folder or an archive: those of systems, and what spreadsheets keep while a workbook is open.
const names = /^(?:\..*|~\$.*|thumbs\.db|desktop\.ini)$/i;

/** Whether a file is no part of a delivery: `.DS_Store`, `._products.csv`, `Thumbs.db`, `~$products.xlsx`. */
export function isSystemFile(name: string): boolean {
  return names.test(name);
}
