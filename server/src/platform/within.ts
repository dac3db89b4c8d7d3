/** The outcome, or `otherwise` when it fails or takes longer. What comes too late is dropped. */
export function within<T>(work: Promise<T>, timeMaxMs: number, otherwise: T): Promise<T> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(otherwise), timeMaxMs);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      () => {
        clearTimeout(timer);
        resolve(otherwise);
      },
    );
  });
}
