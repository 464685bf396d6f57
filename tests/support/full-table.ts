/** Loaded before a command by `NODE_OPTIONS=--import`: a table is full after some rows. */
import { FullTableError } from '../../src/lib/full-table-error.ts';
import { RowTable } from '../../src/lib/row-table.ts';

const ROWS_MAX = 20_000;
let rows = 0;
const { add } = RowTable.prototype;

RowTable.prototype.add = function addUntilFull() {
  if (++rows > ROWS_MAX) throw new FullTableError('table "positions"', `${ROWS_MAX} rows`);
  return add.call(this);
};
