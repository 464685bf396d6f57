/**
 * A part that is broken when its table is opened is set aside instead of failing the start: the
 * record of parts in the control plane names it, and it is filled again (store/verification).
 */
export const TOLERATE_BROKEN_PARTS: readonly string[] = [
  'max_suspicious_broken_parts = 1000000000',
  'max_suspicious_broken_parts_bytes = 1000000000000000000',
];
