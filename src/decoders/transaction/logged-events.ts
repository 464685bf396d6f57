import { hasDiscriminator } from './discriminator.ts';

/** Bytes of the event discriminator before a logged event's fields. */
export const LOGGED_FIELDS_OFFSET = 8;

const LOG_DATA = 'Program data: ';

/**
 * Events with this discriminator that programs wrote to the log, in order. The log does not show
 * which instruction wrote an event, and any program may write any bytes, so the content has to be
 * matched with actual movements.
 */
export function* loggedEvents(
  logMessages: readonly string[],
  discriminator: string,
): Generator<Uint8Array> {
  for (const line of logMessages) {
    if (!line.startsWith(LOG_DATA)) continue;
    const data = Buffer.from(line.slice(LOG_DATA.length), 'base64');
    if (hasDiscriminator(data, 0, discriminator)) yield data;
  }
}
