import type { DetectedType } from './file-type.ts';

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Extensions that a double click runs, mounts or installs on a common system. */
const RISKY = list(
  `ade adp apk app appx application bat chm cmd com cpl dll dmg exe gadget hta img inf ins iso jar js jse lib lnk mde msc msi msix msp
  mst nsh pif pkg ps1 ps1xml ps2 psc1 reg scf scr sct settingcontent-ms shb sys url vb vbe vbs vhd vhdx vxd wsc wsf wsh xll xbap
  deb rpm run sh command workflow desktop mobileconfig`,
);
const MACRO_ENABLED = list('docm dotm xlsm xltm xlam pptm potm ppam ppsm sldm xlsb');
/** Extensions of documents and pictures, which readers take for harmless. */
const HARMLESS = list(
  'pdf doc docx xls xlsx ppt pptx txt rtf csv jpg jpeg png gif bmp tif tiff webp mp3 mp4 wav avi mov htm html xml eml zip',
);
/** The types that the bytes of a file with this extension have; extensions that promise no type are missing. */
const EXPECTED: Readonly<Record<string, readonly DetectedType[]>> = {
  pdf: ['pdf'],
  docx: ['ooxml', 'ole'],
  xlsx: ['ooxml', 'ole'],
  pptx: ['ooxml', 'ole'],
  doc: ['ole', 'ooxml', 'text', 'html'],
  xls: ['ole', 'ooxml', 'text', 'html'],
  ppt: ['ole', 'ooxml'],
  jpg: ['image'],
  jpeg: ['image'],
  png: ['image'],
  gif: ['image'],
  bmp: ['image', 'unknown'],
  webp: ['image'],
  txt: ['text', 'eml', 'html', 'unknown'],
  csv: ['text', 'unknown'],
  ics: ['text', 'unknown'],
  vcf: ['text', 'unknown'],
  zip: ['zip', 'ooxml'],
  rar: ['rar'],
};

export const extensionsOf = (filename: string): readonly string[] =>
  filename
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .toLowerCase()
    .split('.')
    .slice(1)
    .map((part) => part.trim());

export function extensionOf(filename: string | null): string {
  return filename === null ? '' : (extensionsOf(filename).at(-1) ?? '');
}

export const isRiskyName = (filename: string): boolean => {
  const extension = extensionOf(filename);
  return RISKY.has(extension) || MACRO_ENABLED.has(extension);
};

export const isProgramName = (filename: string): boolean => RISKY.has(extensionOf(filename));

/** `invoice.pdf.exe` runs as `exe` and looks like `pdf` to a reader. A right-to-left override does the same. */
export function isDoubleExtension(filename: string): boolean {
  const all = extensionsOf(filename);
  if (/[\u202a-\u202e\u2066-\u2069]/.test(filename)) return true;
  const last = all.at(-1) ?? '';
  return RISKY.has(last) && all.slice(0, -1).some((extension) => HARMLESS.has(extension));
}

/** True if the bytes are of another type than the extension promises. */
export function isTypeMismatch(filename: string | null, type: DetectedType): boolean {
  const expected = EXPECTED[extensionOf(filename)];
  return expected !== undefined && !expected.includes(type);
}

/** A program whose name has the extension of a harmless document. */
export const isDisguisedProgram = (
  filename: string | null,
  type: DetectedType,
  isProgram: boolean,
): boolean =>
  isProgram && filename !== null && HARMLESS.has(extensionOf(filename)) && isTypeMismatch(filename, type);
