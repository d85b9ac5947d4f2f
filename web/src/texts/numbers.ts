/** Numbers and counted nouns, written as one language writes them. */
export function numbersIn(locale: string) {
  const plain = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent" });
  const plural = new Intl.PluralRules(locale);
  const number = (n: number): string => plain.format(n);
  return {
    number,
    /** `n` counts hundredths: 50 is one half. */
    percent: (n: number): string => percent.format(n / 100),
    fixed: (n: number, digits: number): string =>
      n.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    count: (n: number, one: string, many: string): string => `${number(n)} ${plural.select(n) === "one" ? one : many}`,
  };
}
