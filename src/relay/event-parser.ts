/** One server-sent event, as it was sent. */
export interface RelayedEvent {
  /** With the empty line that ends it. */
  readonly text: string;
  /** Name of the event; `message` without one, and `comment` for what is none. */
  readonly name: string;
  /** Position to resume from; null if it has none. */
  readonly id: string | null;
  /** Slot that its data name; null if they name none. */
  readonly slot: number | null;
}

/** Far more than any event of the service. */
const EVENT_CHARS_MAX = 4 * 1_048_576;

/** Takes a stream of events apart without changing it. */
export class EventParser {
  private readonly decoder = new TextDecoder();
  private pending = '';

  /** The events that are complete with these bytes. Throws RangeError for one without an end. */
  take(bytes: Uint8Array): RelayedEvent[] {
    const parts = (this.pending + this.decoder.decode(bytes, { stream: true })).split('\n\n');
    this.pending = parts.pop() ?? '';
    if (this.pending.length > EVENT_CHARS_MAX) throw new RangeError('an event has no end');
    return parts.map(eventOf);
  }
}

function eventOf(part: string): RelayedEvent {
  const text = `${part}\n\n`;
  const lines = part.split('\n');
  const fieldOf = (field: string) =>
    lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2) ?? null;
  const data = fieldOf('data');
  if (data === null) return { text, name: 'comment', id: null, slot: null };
  const [, slot] = /^\{(?:"topic":"\w+",)?"seq":\d+,"slot":(\d+)/.exec(data) ?? [];
  return {
    text,
    name: fieldOf('event') ?? 'message',
    id: fieldOf('id'),
    slot: slot === undefined ? null : Number(slot),
  };
}

/**
 * Whether it says that a stream begins: the pause between connections, or the acknowledgement. Judged
 * by its first field: data may contain any text.
 */
export function opensStream({ name, text }: RelayedEvent): boolean {
  return name === 'ack' || text.startsWith('retry: ');
}
