/**
 * What a program publishes about itself, in one shape whatever file it came from: names in snake
 * case, groups of accounts flattened, discriminators in lower-case hex.
 */
export interface ProgramInterface {
  /** The program that it says it describes; null where it does not say. */
  readonly address: string | null;
  readonly instructions: readonly PublishedInstruction[];
  readonly events: readonly PublishedEvent[];
}

export interface PublishedInstruction {
  readonly name: string;
  /** Null where the file names none: `discriminatorOf` derives it. */
  readonly discriminator: string | null;
  /** In the order in which the program takes them. */
  readonly accounts: readonly string[];
}

export interface PublishedEvent {
  /** As the program writes it, in capitals and small letters. */
  readonly name: string;
  readonly discriminator: string | null;
  /** In the order of their bytes; null where the file does not show them. */
  readonly fields: readonly PublishedField[] | null;
}

export interface PublishedField {
  readonly name: string;
  /** As the file writes it, unchecked. */
  readonly type: unknown;
}

/** `goToABin` is `go_to_a_bin`: a capital begins a word after a small letter and before one. */
export function snakeCase(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `_${letter}`)
    .toLowerCase();
}
