/** Hands a text to the browser as a download. */
export function saveFile(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // After ten seconds the browser has started the download and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
