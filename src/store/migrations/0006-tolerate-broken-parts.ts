/**
 * A part that is broken when its table is opened is set aside instead of failing the start. The
 * record of parts in the control plane reveals it, and its rows are restored (store/verification).
 */
export const TOLERATE_BROKEN_PARTS: readonly string[] = [
  'max_suspicious_broken_parts = 1000000000',
  'max_suspicious_broken_parts_bytes = 1000000000000000000',
];
