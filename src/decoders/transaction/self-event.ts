import type { Instruction } from '../../model/instruction.ts';
import type { TypedEvent } from './anchor-layout.ts';
import { EVENT_FIELDS_OFFSET } from './discriminator.ts';
import type { TransactionView } from './transaction-view.ts';

/** The fields of a self-event from its data with tag and discriminator; null when they end early. */
export function readEvent<Values>(event: TypedEvent<Values>, data: Uint8Array): Values | null {
  return event.record.read(data, EVENT_FIELDS_OFFSET);
}

/**
 * The first such event that the instruction's program emitted during the instruction. Null when
 * there is none, 'short' when its data end inside its fields.
 */
export function readSelfEvent<Values>(
  view: TransactionView,
  instruction: Instruction,
  event: TypedEvent<Values>,
): Values | null | 'short' {
  const data = view.selfEventOf(instruction, event.discriminator);
  return data === null ? null : (readEvent(event, data) ?? 'short');
}
