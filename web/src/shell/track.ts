/** Makes the surrounding effect or derived value depend on the arguments, whose values it does not need. */
export function track(..._values: unknown[]): void {}
