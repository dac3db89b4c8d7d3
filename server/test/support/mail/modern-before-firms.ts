import { LOGO, type ModernMail, pdf, UNSUBSCRIBE } from './modern-mail.ts';

/** Messages written before the rules for mail were frozen. */
export const BEFORE_FIRMS: readonly ModernMail[] = [
  {
    kind: 'receipt',
    from: '"Amazon.de" <bestellbestaetigung@amazon.de>',
    subject: 'Ihre Amazon.de Bestellung von "USB-Kabel 2 m"',
    returnPath: '2026081@bounces.amazon.de',
    body: `Guten Tag, Bernd Falk, vielen Dank für Ihre Bestellung.
    Bestellung ansehen oder verwalten -> https://www.amazon.de/gp/css/your-orders-access
    Zustellung: Donnerstag, 20. August. Summe: EUR 9,99.`,
  },
  {
    kind: 'receipt',
    from: 'Apple <no_reply@email.apple.com>',
    subject: 'Your receipt from Apple.',
    returnPath: 'b@insideapple.apple.com',
    body: `RECEIPT. Apple Account bernd@firma.example.net. iCloud+ 200 GB, monthly, 2,99 €.
    Report a Problem -> https://reportaproblem.apple.com/?s=6`,
  },
  {
    kind: 'receipt',
    from: 'Uber Receipts <noreply@uber.com>',
    subject: 'Your Tuesday morning trip with Uber',
    body: `Thanks for riding, Bernd. Total 18.40 €. You rode with Malik, 6.2 km in 17 minutes.
    Rate or tip -> https://riders.uber.com/trips/4f2
    Download PDF -> https://riders.uber.com/trips/4f2/pdf`,
    files: [LOGO],
  },
  {
    kind: 'receipt',
    from: 'Bäckerei Kornblum <kasse@baeckerei-kornblum.de>',
    subject: 'Ihr Kassenbon vom 17.08.',
    body: `Danke für Ihren Einkauf. 1 Roggenmischbrot 3,90 €, 2 Laugenstangen 2,40 €. Wir freuen uns auf Ihren nächsten Besuch.
    www.baeckerei-kornblum.de -> https://www.baeckerei-kornblum.de/`,
  },
  {
    kind: 'receipt',
    from: '"PayPal" <service@paypal.de>',
    subject: 'Beleg für Ihre Zahlung an Musikhaus Sander',
    body: `Sie haben eine Zahlung über 42,00 € EUR an Musikhaus Sander gesendet. Transaktionscode 8GH42311.
    Zahlung ansehen -> https://www.paypal.com/activity/payment/8GH42311`,
    returnPath: 'service@paypal.com',
  },
  {
    kind: 'reset',
    from: 'GitHub <noreply@github.com>',
    subject: '[GitHub] Please reset your password',
    body: `We heard that you lost your GitHub password. Sorry about that! You can use the following button to reset it within three hours.
    Reset your password -> https://github.com/password_reset/1a2b3c
    If you did not ask for this, ignore this mail.`,
  },
  {
    kind: 'reset',
    from: 'Vereinsplaner <noreply@vereinsplaner-7f21.firebaseapp.com>',
    subject: 'Reset your password for Vereinsplaner',
    body: `Hello, follow this link to reset your Vereinsplaner password for your bernd@firma.example.net account.
    Reset password -> https://vereinsplaner-7f21.firebaseapp.com/__/auth/action?mode=resetPassword&oobCode=xyz
    If you did not ask to reset your password, you can ignore this email.`,
  },
  {
    kind: 'reset',
    from: 'Stadtbibliothek Lindau <konto@bibliothek-lindau.de>',
    subject: 'Passwort zurücksetzen',
    body: `Sie haben ein neues Passwort angefordert. Der Link gilt 24 Stunden.
    Neues Passwort wählen -> https://katalog.bibliothek-lindau.de/konto/passwort?t=8821`,
  },
  {
    kind: 'reset',
    from: 'Microsoft account team <account-security-noreply@accountprotection.microsoft.com>',
    subject: 'Microsoft account security code',
    body: `Please use the following security code for the Microsoft account be***@firma.example.net. Security code: 402919. If you did not request it, you can ignore this mail.
    Privacy Statement -> https://go.microsoft.com/fwlink/?LinkID=521839`,
  },
  {
    kind: 'newsletter',
    from: 'Rad & Tour <neues@radundtour-magazin.de>',
    subject: '🚲 Fünf Touren für heiße Tage',
    returnPath: 'bounces+22@em3311.radundtour-magazin.de',
    preview: 'Dazu: der große Reifentest',
    headers: UNSUBSCRIBE('https://u22.ct.sendgrid.net/wf/unsub?x=1'),
    body: `Hallo Bernd, hier kommt unser Newsletter mit fünf schattigen Touren.
    radundtour-magazin.de -> https://u22.ct.sendgrid.net/ls/click?upn=abc
    Zum Reifentest -> https://u22.ct.sendgrid.net/ls/click?upn=def
    Im Browser ansehen -> https://u22.ct.sendgrid.net/ls/click?upn=ghi`,
  },
  {
    kind: 'newsletter',
    from: 'The Batch @ DeepLearning.AI <thebatch@deeplearning.ai>',
    subject: 'Smaller models, longer context, new chips',
    replyTo: 'thebatch@deeplearning.ai',
    returnPath: '1axc@bf05.hubspotemail.net',
    headers: UNSUBSCRIBE('https://info.deeplearning.ai/unsub'),
    body: `Dear friends, this week I want to write about testing.
    Read online -> https://info.deeplearning.ai/e3t/Ctc/abc
    Subscribe -> https://info.deeplearning.ai/e3t/Ctc/def`,
  },
  {
    kind: 'newsletter',
    from: 'Käthe von Wollfaden <hallo@wollfaden-laden.de>',
    subject: 'Neue Sockenwolle ist da',
    returnPath: 'bounce-mc.us9_1@mail12.atl.rsgsv.net',
    headers: UNSUBSCRIBE('https://wollfaden-laden.us9.list-manage.com/unsubscribe?u=1'),
    replyTo: 'kaethe.wollfaden@gmail.com',
    body: `Liebe Strickfreunde, die neue Merino ist eingetroffen und wir haben am Samstag bis 16 Uhr offen.
    Zum Shop -> https://wollfaden-laden.us9.list-manage.com/track/click?u=1&id=2
    Folge uns auf Instagram -> https://wollfaden-laden.us9.list-manage.com/track/click?u=1&id=3`,
  },
  {
    kind: 'newsletter',
    from: 'Ines schreibt <inesschreibt@substack.com>',
    subject: 'Was ich im Juli gelesen habe',
    replyTo: 'reply+2abc@mg1.substack.com',
    returnPath: 'bounce@mg1.substack.com',
    headers: UNSUBSCRIBE('https://inesschreibt.substack.com/action/disable_email'),
    body: `Im Juli habe ich wenig gelesen und viel gejätet.
    Weiterlesen -> https://substack.com/app-link/post?publication_id=1
    Kommentieren -> https://open.substack.com/pub/inesschreibt/p/juli`,
  },
  {
    kind: 'newsletter',
    from: 'Spotify <no-reply@spotify.com>',
    subject: 'Concerts near you this autumn',
    headers: UNSUBSCRIBE('https://wl.spotify.com/unsub'),
    body: `Artists you follow are coming to Munich.
    See dates -> https://wl.spotify.com/ls/click?upn=u001`,
  },
  {
    kind: 'invoice',
    from: 'Hetzner Online GmbH <billing@hetzner.com>',
    subject: 'Rechnung R0024718331',
    body: `Sehr geehrter Herr Falk, im Anhang finden Sie die Rechnung für August. Der Betrag wird am 24.08. abgebucht.
    accounts.hetzner.com -> https://accounts.hetzner.com/invoice`,
    files: [pdf('Hetzner_2026-08-17_R0024718331.pdf')],
  },
  {
    kind: 'invoice',
    from: 'Elektro Wagner <buero@elektro-wagner-lindau.de>',
    subject: 'Rechnung 2026-341 Treppenlicht',
    body: `Hallo Herr Falk, anbei die Rechnung für das Treppenlicht. Zahlbar innerhalb von 14 Tagen. Bei Fragen: +49 8382 555 210. Viele Grüße, Toni Wagner`,
    files: [pdf('RE-2026-341.pdf')],
    isPlain: true,
  },
  {
    kind: 'invoice',
    from: 'Garten Huber via QuickBooks <quickbooks@notification.intuit.com>',
    subject: 'Invoice 1041 from Garten Huber',
    replyTo: 'garten.huber@gmx.de',
    body: `Dear customer, here is your invoice. We appreciate your prompt payment. Balance due 310.00 €.
    Review and pay -> https://connect.intuit.com/portal/app/CommerceNetwork/view/scs-v1-abc`,
    files: [pdf('Invoice_1041.pdf')],
  },
  {
    kind: 'invoice',
    from: 'Stripe <invoice+statements@stripe.com>',
    subject: 'Your invoice from Kartenwerk UG #3F2A-0007',
    replyTo: 'rechnung@kartenwerk-app.de',
    body: `Invoice from Kartenwerk UG, 19.00 €, paid 15 August 2026.
    Download invoice -> https://pay.stripe.com/invoice/acct_1/invst_2/pdf
    Questions? Visit our support site -> https://support.stripe.com/`,
  },
  {
    kind: 'invoice',
    from: 'Steuerkanzlei Brandt <post@kanzlei-brandt-lindau.de>',
    subject: 'Verschlüsselte Auswertung Juli',
    body: `Guten Tag Herr Falk, anbei die Auswertung als geschützte PDF-Datei. Das Kennwort ist wie vereinbart.`,
    files: [
      {
        type: 'application/pdf',
        content: Buffer.from('%PDF-1.7\n/Encrypt 4 0 R\n/FlateDecode'),
        filename: 'BWA_Juli.pdf',
      },
    ],
    isPlain: true,
  },
  {
    kind: 'invitation',
    from: 'Google Calendar <calendar-notification@google.com>',
    subject: 'Invitation: Quartalsplanung @ Thu Aug 27, 2026 10am',
    replyTo: 'Petra Lang <petra@firma.example.net>',
    returnPath: '3k@calendar-server.bounces.google.com',
    body: `Petra Lang has invited you to Quartalsplanung. Room 3, with video.
    Join with Google Meet -> https://meet.google.com/abc-defg-hij
    Yes -> https://calendar.google.com/calendar/event?action=RESPOND&rst=1`,
    files: [
      {
        type: 'text/calendar; method=REQUEST',
        content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR',
        filename: 'invite.ics',
      },
    ],
  },
  {
    kind: 'invitation',
    from: 'Petra Lang <petra@werkhalle-lindau.de>',
    subject: 'Einladung: Sommerfest am 29. August',
    body: `Liebe Nachbarn, wir grillen ab 17 Uhr im Hof. Bitte bringt einen Salat mit und sagt bis Mittwoch Bescheid. Eure Petra`,
    isPlain: true,
  },
  {
    kind: 'invitation',
    from: 'Eventbrite <noreply@order.eventbrite.com>',
    subject: 'Your tickets for Kleinkunstabend',
    replyTo: 'buehne@kleinkunst-lindau.de',
    body: `You are going! Kleinkunstabend, Friday 28 August, 20:00.
    View tickets -> https://www.eventbrite.de/mytickets/1
    Add to calendar -> https://www.eventbrite.de/e/1`,
    files: [pdf('tickets.pdf')],
  },
  {
    kind: 'invitation',
    from: 'Microsoft Teams <noreply@email.teams.microsoft.com>',
    subject: 'Petra invited you to a meeting',
    body: `Petra Lang is inviting you to a Teams meeting.
    Join the meeting now -> https://teams.microsoft.com/l/meetup-join/19%3a`,
  },
];
