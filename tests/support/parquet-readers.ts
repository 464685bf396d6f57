import { DuckDBInstance } from '@duckdb/node-api';

/** A table as another program reads it: values as texts, null as "". */
export interface ReadTable {
  /** Names of the columns, and what the program takes them for. */
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** Reads a Parquet file in a session of another time zone, as the one of an analyst may be. */
export async function readByDuckDb(path: string): Promise<ReadTable> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'Asia/Kolkata'");
    const query = async (sql: string) =>
      (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, string | null>[];
    const described = await query(`DESCRIBE SELECT * FROM read_parquet('${path}')`);
    const types = Object.fromEntries(
      described.map(({ column_name: name, column_type: type }) => [`${name}`, `${type}`]),
    );
    const columns = Object.entries(types).map(([name, type]) =>
      type.startsWith('TIMESTAMP')
        ? `strftime("${name}" AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ') AS "${name}"`
        : `"${name}"::VARCHAR AS "${name}"`,
    );
    const read = await query(`SELECT ${columns.join(', ')} FROM read_parquet('${path}')`);
    return { types, rows: read.map(asCells) };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Null where the package has no program for this platform or version of Node. */
export async function openPolars(): Promise<((path: string) => ReadTable) | null> {
  const { default: polars } = await import('nodejs-polars').catch(() => ({ default: null }));
  if (polars === null) return null;
  return (path) => {
    const table = polars.readParquet(path);
    const types = Object.fromEntries(
      Object.entries(table.schema as Record<string, unknown>).map(([name, type]) => [
        name,
        String(type),
      ]),
    );
    const texts = table.select(...table.columns.map((name) => polars.col(name).cast(polars.Utf8)));
    const rows = (texts.toRecords() as Record<string, string | null>[]).map((row) => {
      const cells = Object.entries(asCells(row)).map(([name, cell]) => [
        name,
        types[name]?.includes('Datetime') === true
          ? cell.replace(' ', 'T').replace('+00:00', 'Z')
          : cell,
      ]);
      return Object.fromEntries(cells) as Record<string, string>;
    });
    return { types, rows };
  };
}

function asCells(row: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? '']));
}
