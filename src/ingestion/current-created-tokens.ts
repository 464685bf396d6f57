import type { TokenRecord } from '../model/token-record.ts';
import type {
  CreatedTokenCursor,
  CreatedTokenPage,
  CreatedTokenQuery,
} from '../model/wallet-lists.ts';
import type { StoredCreatedTokens } from '../store/reads/created-tokens.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

/** Tokens by creator up to the newest slot: stored ones merged with unwritten changes. */
export class CurrentCreatedTokens {
  private readonly stored: Pick<StoredCreatedTokens, 'of'>;
  private readonly unwritten: UnwrittenRows;

  constructor(stored: Pick<StoredCreatedTokens, 'of'>, unwritten: UnwrittenRows) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  async page(query: CreatedTokenQuery): Promise<CreatedTokenPage> {
    const { creator, after, limit } = query;
    const changed = new Map<string, TokenRecord>();
    for (const { changes } of this.unwritten.slots()) {
      for (const token of changes.tokens) changed.set(token.mint, token);
    }
    const recent = [...changed.values()].filter((token) => token.creator === creator);
    const stored = await this.stored.of({ ...query, limit: limit + 1 + recent.length });
    const all = [...recent, ...stored.filter(({ mint }) => !changed.has(mint))]
      .filter((token) => after === null || compareTokens(after, cursorOf(token)) < 0)
      .sort((one, other) => compareTokens(cursorOf(one), cursorOf(other)));
    const tokens = all.slice(0, limit);
    const last = all.length > limit ? tokens.at(-1) : undefined;
    return { tokens, next: last === undefined ? null : cursorOf(last) };
  }
}

function cursorOf({ creationSlot: slot, mint }: TokenRecord): CreatedTokenCursor {
  return { slot, mint };
}

/** Newest first, unknown slots last, ties by mint. */
function compareTokens(one: CreatedTokenCursor, other: CreatedTokenCursor): number {
  if (one.slot === other.slot) return one.mint < other.mint ? -1 : Number(one.mint > other.mint);
  if (one.slot === null) return 1;
  return other.slot === null ? -1 : other.slot - one.slot;
}
