/**
 * The interface published by a program, in one form for all file formats: names in snake case,
 * account groups flattened, discriminators in lower-case hex.
 */
export interface ProgramInterface {
  /** The program that the file claims to describe; null when it does not state one. */
  readonly address: string | null;
  readonly instructions: readonly PublishedInstruction[];
  readonly events: readonly PublishedEvent[];
}

export interface PublishedInstruction {
  readonly name: string;
  /** Null when the file states none; `instructionDiscriminator` derives it. */
  readonly discriminator: string | null;
  /** In the order in which the program takes them. */
  readonly accounts: readonly string[];
}

export interface PublishedEvent {
  /** Unmodified, in upper and lower case. */
  readonly name: string;
  readonly discriminator: string | null;
  /** In byte order; null when the file does not show them. */
  readonly fields: readonly PublishedField[] | null;
}

export interface PublishedField {
  readonly name: string;
  /** As in the file, unchecked. */
  readonly type: unknown;
}

/**
 * `goToABin` becomes `go_to_a_bin`: an upper-case letter starts a word after a lower-case letter
 * and before one.
 */
export function snakeCase(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `_${letter}`)
    .toLowerCase();
}
