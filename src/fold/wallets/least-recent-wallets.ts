import type { AddressIds } from '../../lib/address-ids.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { Address } from '../../model/units.ts';
import { WALLET_FIELDS } from './features/wallet-row.ts';
import type { ProfileLocations } from './profile-location.ts';

/** The profiles in memory. */
export interface ResidentProfiles {
  readonly rows: RowTable;
  readonly locations: ProfileLocations;
  readonly ids: AddressIds<Address>;
}

/**
 * The `count` wallets in memory that traded longest ago; ties within a second are resolved by
 * address. There must be at least `count` profiles.
 */
export function leastRecentWallets(
  { rows, locations, ids }: ResidentProfiles,
  count: number,
): number[] {
  const { wallets, times } = lastTradesOf({ rows, locations, ids });
  const last = times.slice().sort()[count - 1] ?? 0;
  const older: number[] = [];
  const tied: number[] = [];
  for (const [at, wallet] of wallets.entries()) {
    const lastS = times[at] ?? 0;
    if (lastS < last) older.push(wallet);
    else if (lastS === last) tied.push(wallet);
  }
  tied.sort((one, other) => (ids.addressOf(one) < ids.addressOf(other) ? -1 : 1));
  return [...older, ...tied.slice(0, count - older.length)];
}

/** The wallets with a profile in memory, and the time of each one's last trade. */
function lastTradesOf({ rows, locations, ids }: ResidentProfiles): {
  readonly wallets: Uint32Array;
  readonly times: Uint32Array;
} {
  const wallets = new Uint32Array(rows.size);
  const times = new Uint32Array(rows.size);
  let at = 0;
  locations.forEachRow(ids.size, (wallet, row) => {
    wallets[at] = wallet;
    times[at++] = rows.number(row, WALLET_FIELDS.lastS);
  });
  return { wallets, times };
}
