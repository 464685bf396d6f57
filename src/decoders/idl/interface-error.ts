/** Why a document is no program interface; the message has no full stop and quotes nothing of it. */
export class InterfaceError extends Error {
  override readonly name = 'InterfaceError';
}
