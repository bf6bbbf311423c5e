// How bookkeeping that has to keep within bounds finds what is too much. Both databases understand the same query.

/**
 * The query for the time of the newest row of a table that is beyond its bounds, counted from the newest; null if there is
 * none.
 * @param rows the parameter for the most rows
 * @param bytes that for the most bytes of the column
 */
export function timeBeyondQuery(table: string, column: string, rows: string, bytes = rows): string {
  return `SELECT max(created_at) FROM (
    SELECT created_at, row_number() OVER newest AS nth, sum(octet_length(${column})) OVER newest AS size
    FROM ${table} WINDOW newest AS (ORDER BY created_at DESC ROWS UNBOUNDED PRECEDING)
  ) AS counted WHERE nth > ${rows} OR size > ${bytes}`;
}
