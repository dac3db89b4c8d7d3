import { escapeHtml } from '#platform/escape-html.ts';
import type { LetterContent } from './contract.ts';
import { wordLetter } from './word-letter.ts';

export type RenderedLetter = { readonly subject: string; readonly text: string; readonly html: string };

/** Where the letter comes from, and how to end letters of its topic. */
export type Sender = { readonly host: string; readonly unsubscribeLink: string | null };

/** Text and HTML of a letter. The HTML loads nothing: no picture, no font, no script. */
export function renderLetter(content: LetterContent, sender: Sender): RenderedLetter {
  const { subject, paragraphs, action, why, otherwise } = wordLetter(content);
  const from = `Assay at ${sender.host}`;
  const stop = sender.unsubscribeLink;
  const text = [
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}:\n${action.link}`]),
    `Why you get this letter: ${why}`,
    otherwise,
    `-- \n${from}${stop === null ? '' : `\nNo more letters of this kind: ${stop}`}`,
  ].join('\n\n');
  return { subject: `${subject} (${sender.host})`, text: `${text}\n`, html: htmlOf() };

  function htmlOf(): string {
    const small = 'style="color:#555;font-size:14px"';
    const lines = [
      ...paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`),
      ...(action === undefined
        ? []
        : [
            `<p><a href="${escapeHtml(action.link)}" style="display:inline-block;padding:10px 16px;background:#1a4fd0;color:#fff;text-decoration:none;border-radius:4px">${escapeHtml(action.label)}</a></p>`,
            `<p ${small}>Or copy this address into your browser:<br>${escapeHtml(action.link)}</p>`,
          ]),
      `<p ${small}>Why you get this letter: ${escapeHtml(why)} ${escapeHtml(otherwise)}</p>`,
      `<p ${small}>${escapeHtml(from)}${stop === null ? '' : `<br><a href="${escapeHtml(stop)}">No more letters of this kind</a>`}</p>`,
    ];
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#111;max-width:36em">
${lines.join('\n')}
</body></html>
`;
  }
}
