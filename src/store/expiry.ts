// Finds bookkeeping rows that exceed their bounds. Both databases understand the same query.

/**
 * The query for the time of the newest row beyond the bounds of a table, counted from the newest row; null if there is
 * none.
 * @param rows the parameter for the maximum number of rows
 * @param bytes the parameter for the maximum bytes of the column
 */
export function timeBeyondQuery(table: string, column: string, rows: string, bytes = rows): string {
  return `SELECT max(created_at) FROM (
    SELECT created_at, row_number() OVER newest AS nth, sum(octet_length(${column})) OVER newest AS size
    FROM ${table} WINDOW newest AS (ORDER BY created_at DESC ROWS UNBOUNDED PRECEDING)
  ) AS counted WHERE nth > ${rows} OR size > ${bytes}`;
}
