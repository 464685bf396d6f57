/**
 * Reason why a document is not a program interface. The message has no full stop and quotes nothing
 * from the document.
 */
export class InterfaceError extends Error {
  override readonly name = 'InterfaceError';
}
