import { type ModernMail, pdf, UNSUBSCRIBE } from './modern-mail.ts';

/** Messages written after the rules for mail were frozen; no rule was changed for them. */
export const AFTER_PEOPLE: readonly ModernMail[] = [
  {
    kind: 'list',
    from: 'Bob Ngu <bob@ngu-labs.co.za>',
    subject: 'Re: [nginx] limit_req and keepalive',
    returnPath: 'nginx-bounces@nginx.org',
    auth: 'spf=pass smtp.mailfrom=nginx.org; dkim=fail header.d=ngu-labs.co.za; dmarc=fail (p=NONE sp=NONE dis=NONE) header.from=ngu-labs.co.za',
    headers: ['List-Id: <nginx.nginx.org>'],
    body: `The zone is shared between workers. http://nginx.org/en/docs/http/ngx_http_limit_req_module.html`,
    isPlain: true,
  },
  {
    kind: 'list',
    from: '"Debian Bug Tracking System" <owner@bugs.debian.org>',
    subject: 'Bug#1090211: marked as done (knot: crashes on reload)',
    returnPath: 'debbugs@buxtehude.debian.org',
    body: `Your message dated Mon, 17 Aug 2026 has caused the report to be marked as done.\nhttps://bugs.debian.org/cgi-bin/bugreport.cgi?bug=1090211`,
    isPlain: true,
    files: [
      {
        type: 'message/rfc822',
        content:
          'From: Anna <anna@kunde.example.org>\r\nSubject: knot: crashes on reload\r\n\r\nIt crashes.\r\n',
      },
    ],
  },
  {
    kind: 'list',
    from: 'chor@lists.chor-lindau.de',
    subject: '[Chor] Noten für Samstag',
    replyTo: 'petra@chor-lindau.de',
    headers: ['List-Id: <chor.lists.chor-lindau.de>'],
    body: `Hallo ihr Lieben, anbei die Noten. Bitte ausdrucken, der Drucker im Saal ist kaputt.`,
    files: [pdf('Bruckner_Locus_iste.pdf')],
    isPlain: true,
  },
  {
    kind: 'list',
    from: 'Nextdoor Lindau-Insel <reply@rs.email.nextdoor.com>',
    subject: 'Katze zugelaufen',
    body: `Hanna M. aus der Nachbarschaft schreibt: Wem gehört die graue Katze?
    Beitrag ansehen -> https://de.nextdoor.com/p/abc`,
  },
  {
    kind: 'forward',
    from: 'Jonas Falk <jonas.falk@gmail.com>',
    subject: 'Fwd: Ihre Rechnung von Vodafone',
    body: `Kannst du das mal ansehen? Ist die echt?
    ---------- Forwarded message ---------
    From: Vodafone <rechnung@vodafone.de>
    Ihre Rechnung ist da: https://www.vodafone.de/meinvodafone`,
    isPlain: true,
  },
  {
    kind: 'forward',
    from: 'Ute Kern <ute.kern@kern-immobilien.de>',
    subject: 'WG: Exposé Seestraße 4',
    body: `Wie besprochen. Ute`,
    files: [
      pdf('Expose_Seestrasse_4.pdf'),
      {
        type: 'message/rfc822',
        content:
          'From: Makler <info@makler-see.de>\r\nSubject: Exposé\r\n\r\nSiehe https://www.makler-see.de/objekt/4\r\n',
        filename: 'Expose.eml',
      },
    ],
    isPlain: true,
  },
  {
    kind: 'forward',
    from: 'Scan Büro <scanner@firma-werkzeug.de>',
    subject: 'Scan from MFP-2',
    body: `Scanned document attached. 3 pages.`,
    files: [pdf('SCAN_0421.pdf')],
    isPlain: true,
  },
  {
    kind: 'forward',
    from: 'Hans Meier <hans.meier@alumni.ethz.ch>',
    subject: 'Fwd: Klassentreffen',
    returnPath: 'SRS0=a=hans@forwarder.alumni-mail.ch',
    auth: 'spf=pass smtp.mailfrom=forwarder.alumni-mail.ch; dkim=none; dmarc=none header.from=alumni.ethz.ch',
    body: `Wer kommt mit? Treffpunkt Bahnhof um 10.`,
    isPlain: true,
  },
  {
    kind: 'ticket',
    from: 'Hetzner Support <support@hetzner.com>',
    subject: '[Ticket#2026081710002231] Reverse DNS',
    body: `Dear Mr Falk, the entry is set. It may take some time until every resolver knows it. Kind regards, Nico`,
  },
  {
    kind: 'ticket',
    from: 'Sentry <noreply@md.getsentry.com>',
    subject: 'KARTENWERK-4K - TypeError: t is undefined',
    body: `New alert from kartenwerk in production.
    View on Sentry -> https://kartenwerk.sentry.io/issues/991/`,
  },
  {
    kind: 'ticket',
    from: 'Nextcloud <cloud@firma-werkzeug.de>',
    subject: 'Lena shared "Preisliste" with you',
    body: `Lena shared Preisliste.xlsx with you.
    Open -> https://cloud.firma-werkzeug.de/f/2201`,
  },
  {
    kind: 'ticket',
    from: 'Zahnarztpraxis Dr. Blum <praxis@zahnarzt-blum-lindau.de>',
    subject: 'Terminerinnerung 25.08. 9:30 Uhr',
    body: `Guten Tag, wir erinnern an Ihren Termin. Absagen bitte 24 Stunden vorher unter 08382 4477.
    Termin verschieben -> https://zahnarzt-blum-lindau.de/termin?id=31`,
  },
  {
    kind: 'ticket',
    from: 'Kontaktformular <no-reply@tischlerei-ott.de>',
    subject: 'Neue Anfrage über die Webseite',
    replyTo: 'sven1984@gmail.com',
    body: `Von: Sven. Nachricht: Macht ihr auch Treppen? Hier ein Foto: https://bit.ly/3treppe`,
    isPlain: true,
  },
  {
    kind: 'bank',
    from: 'comdirect <service@comdirect.de>',
    subject: 'Finanzreport Juli liegt bereit',
    body: `Sehr geehrter Herr Falk, im Postfach liegt ein neues Dokument.
    Zum Login -> https://kunde.comdirect.de/lp/wt/login`,
  },
  {
    kind: 'bank',
    from: 'VR Bank Lindau <info@vr-bank-lindau-raum.de>',
    subject: 'Einladung zur Vertreterversammlung',
    body: `Sehr geehrtes Mitglied, wir laden Sie herzlich in die Inselhalle ein. Beginn 18 Uhr.`,
    files: [pdf('Tagesordnung.pdf')],
  },
  {
    kind: 'bank',
    from: 'Revolut <no-reply@revolut.com>',
    subject: 'Your monthly statement',
    body: `Hi Bernd, your statement for July is attached and protected with your date of birth.`,
    files: [
      {
        type: 'application/pdf',
        content: Buffer.from('%PDF-1.6\n/Encrypt 9 0 R\n/FlateDecode'),
        filename: 'statement_july.pdf',
      },
    ],
  },
  {
    kind: 'bank',
    from: 'ING Österreich <noreply@ing.at>',
    subject: 'Wartungsarbeiten am 23. August',
    body: `Am Sonntag ist das Internetbanking zwischen 2 und 6 Uhr nicht erreichbar. Wir bitten um Verständnis.`,
  },
  {
    kind: 'delivery',
    from: 'Amazon Logistics <shipment-tracking@amazon.de>',
    subject: 'Wird heute zugestellt: USB-Kabel',
    body: `Ihr Paket kommt heute bis 20 Uhr.
    Lieferung verfolgen -> https://www.amazon.de/progress-tracker/package`,
  },
  {
    kind: 'delivery',
    from: 'GLS Germany <noreply@gls-pakete.de>',
    subject: 'Ihr Paket liegt im PaketShop',
    body: `Abholbar bis 25.08. bei Kiosk am See. Bitte bringen Sie einen Ausweis mit.
    Sendung ansehen -> https://www.gls-pakete.de/sendungsverfolgung?trackingNumber=1`,
  },
  {
    kind: 'delivery',
    from: 'Österreichische Post <noreply@post.at>',
    subject: 'Ihre Sendung ist auf dem Weg',
    body: `Absender: Hofladen Egger. Zustellung voraussichtlich am Donnerstag.
    Sendung verfolgen -> https://www.post.at/sv/sendungsdetails?snr=1`,
  },
  {
    kind: 'delivery',
    from: 'Möbelhaus Kranz <lieferung@moebel-kranz.de>',
    subject: 'Ihr Sofa kommt am Freitag',
    body: `Unser Team liefert zwischen 8 und 12 Uhr. Bitte halten Sie den Zugang frei. Der Fahrer ruft 30 Minuten vorher an: +49 171 555 9911.`,
  },
  {
    kind: 'delivery',
    from: 'FedEx <TrackingUpdates@fedex.com>',
    subject: 'FedEx Shipment 7712: Delivered',
    body: `Your package was delivered on Tue, 08/18/2026 at 10:14.
    View details -> https://www.fedex.com/fedextrack/?trknbr=7712`,
  },
  {
    kind: 'personal',
    from: 'mia💛 <mia.sommer07@icloud.com>',
    subject: 'morgen baden?',
    body: `18 uhr am steg? bring bitte die luftmatratze mit 🏖️`,
    isPlain: true,
  },
  {
    kind: 'personal',
    from: 'Иван Петров <ivan.petrov@mail.ru>',
    subject: 'Фото с дачи',
    body: 'Привет! Посылаю фотографии, как обещал. Приезжайте в сентябре за яблоками.',
    isPlain: true,
    files: [
      { type: 'image/jpeg', content: Buffer.from('ffd8ffe000104a464946', 'hex'), filename: 'дача.jpg' },
    ],
  },
  {
    kind: 'personal',
    from: 'Dr. Peter Norton <norton@praxis-am-see.de>',
    subject: 'Re: Schachabend',
    body: `Donnerstag passt mir gut. Ich bringe die Uhr mit.`,
    isPlain: true,
  },
  {
    kind: 'personal',
    from: 'Giulia Santander <giulia.santander@libero.it>',
    subject: 'Ricetta della nonna',
    body: `Ciao Bernd, ecco la ricetta: farina, uova, un pizzico di sale. Baci!`,
    files: [
      {
        type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        content: Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
        filename: 'ricetta.zip',
      },
    ],
    isPlain: true,
  },
  {
    kind: 'personal',
    from: 'Papa <werner.falk@gmx.net>',
    subject: 'Drucker',
    body: `Der Drucker geht wieder nicht. Kannst du am Wochenende schauen? Er zeigt E13.`,
    isPlain: true,
  },
  {
    kind: 'agency',
    from: 'Lufthansa <newsletter@newsletter.lufthansa.com>',
    subject: 'Meilen verfallen bald',
    returnPath: 'b@bounce.newsletter.lufthansa.com',
    body: `Sehr geehrter Herr Falk, 2.100 Meilen verfallen am 30. September.
    Zum Meilenkonto -> https://mailing.lufthansa.com/go/abc`,
  },
  {
    kind: 'agency',
    from: 'Samsung Deutschland <samsung@e.samsungmail.com>',
    subject: 'Ihre Garantieverlängerung',
    body: `Danke für die Registrierung Ihres Geräts.
    Mehr erfahren -> https://click.e.samsungmail.com/?qs=1`,
  },
  {
    kind: 'agency',
    from: 'Stiftung Kinderhilfe See <spenden@dialogpost-agentur.de>',
    subject: 'Danke für Ihre Hilfe',
    replyTo: 'info@kinderhilfe-see.org',
    headers: UNSUBSCRIBE('https://dialogpost-agentur.de/u'),
    body: `Mit Ihrer Spende konnten 14 Kinder ins Ferienlager fahren.
    www.kinderhilfe-see.org -> https://www.kinderhilfe-see.org/ferienlager`,
  },
  {
    kind: 'agency',
    from: 'Zalando <info@service-mail.zalando.de>',
    subject: 'Deine Retoure ist da',
    body: `Hi Bernd, wir haben 39,95 € erstattet.
    Zur Übersicht -> https://www.zalando.de/myaccount/orders/`,
  },
  {
    kind: 'agency',
    from: 'Bosch Umfrage <panel@marktforschung-halbmond.de>',
    subject: 'Ihre Meinung zur Bohrmaschine',
    replyTo: 'panel@marktforschung-halbmond.de',
    body: `Im Auftrag von Bosch bitten wir um fünf Minuten.
    Teilnehmen -> https://marktforschung-halbmond.de/p/bosch26`,
  },
];
