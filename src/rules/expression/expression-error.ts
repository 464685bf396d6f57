/** Why an expression was refused. Never leaves `compileExpression`. */
export class ExpressionError extends Error {
  /** Offset of the character in the expression, from 0. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'ExpressionError';
    this.offset = offset;
  }
}
