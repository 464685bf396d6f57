import type { IncomingMessage } from 'node:http';
import type { PresentedKey } from './presented-key.ts';
import { SecretTable } from './secret-table.ts';

export const TICKET_MS = 60_000;
const PER_ACCOUNT_MAX = 1_000;
const TOTAL_MAX = 20_000;

/**
 * One-use tickets for WebSockets, for pages that must not know the key: browsers cannot set the
 * headers of a WebSocket. They are in memory only.
 */
export class StreamTickets {
  private readonly table = new SecretTable<PresentedKey>({
    validMs: TICKET_MS,
    perAccountMax: PER_ACCOUNT_MAX,
    totalMax: TOTAL_MAX,
  });
  private readonly spent = new WeakMap<IncomingMessage, PresentedKey>();
  private readonly nowMs: () => number;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** Issues a ticket for a key; null when there are too many tickets. */
  issue(accountId: string, key: PresentedKey) {
    return this.table.create(accountId, key, this.nowMs());
  }

  /**
   * Spends the ticket of an upgrade and presents its key as the header would. Another ticket is no
   * key, so the request is refused.
   */
  moveKeyToHeader(request: IncomingMessage): void {
    if (request.headers['x-api-key'] !== undefined) return;
    const query = new URLSearchParams(request.url?.split('?', 2)[1] ?? '');
    const [ticket, ...more] = query.getAll('ticket');
    if (ticket === undefined || more.length > 0) return;
    const key = this.table.find(ticket, this.nowMs());
    this.table.remove(ticket);
    if (key === null || !key.isOpen()) return;
    this.spent.set(request, key);
    request.headers['x-api-key'] = key.text;
  }

  /** Whether the session that the ticket of a request was issued to has not ended. */
  isOpen(request: IncomingMessage): boolean {
    return this.spent.get(request)?.isOpen() ?? true;
  }
}
