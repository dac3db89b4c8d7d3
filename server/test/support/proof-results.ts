/** Prints the figures of a proof as `figure NAME VALUE`; the runner of the proofs keeps them in docs/proofs.md. */
export function keepResult(name: string, figures: Readonly<Record<string, number>>): void {
  for (const [figure, value] of Object.entries(figures))
    process.stdout.write(`figure ${name}.${figure} ${Math.round(value * 100) / 100}\n`);
}
