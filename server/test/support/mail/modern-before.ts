import { LOGO, type ModernMail, pdf, UNSUBSCRIBE } from './modern-mail.ts';

/** Written before the rules were frozen. */
export const BEFORE: readonly ModernMail[] = [
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
  {
    kind: 'list',
    from: 'Kurt Adler via postfix-users <postfix-users@postfix.org>',
    subject: '[pfx] Re: smtpd_recipient_restrictions order',
    replyTo: 'Kurt Adler <kurt@adler-netz.at>',
    returnPath: 'postfix-users-bounces+b=firma@postfix.org',
    headers: [
      'List-Id: <postfix-users.postfix.org>',
      'List-Unsubscribe: <mailto:postfix-users-leave@postfix.org>',
    ],
    body: `On Mon, Aug 17, Bob wrote: does the order matter? Yes, it is evaluated from left to right. See http://www.postfix.org/SMTPD_ACCESS_README.html`,
    isPlain: true,
  },
  {
    kind: 'list',
    from: 'Mia Stern <mia@sternwarte-ulm.de>',
    subject: '[astro] Perseiden: Treffpunkt',
    returnPath: 'astro-bounces@lists.sternfreunde.de',
    auth: 'spf=pass smtp.mailfrom=lists.sternfreunde.de; dkim=fail header.d=sternwarte-ulm.de; dmarc=none header.from=sternwarte-ulm.de',
    headers: ['List-Id: <astro.lists.sternfreunde.de>'],
    body: `Hallo zusammen, wir treffen uns um 22 Uhr am Parkplatz. Karte: https://www.openstreetmap.org/#map=17/48.39/9.98`,
    isPlain: true,
  },
  {
    kind: 'list',
    from: 'Linus Holm <linus@holm-kernel.dk>',
    subject: '[PATCH v3 2/5] net: fix refcount in tun_get_user',
    returnPath: 'linux-kernel+bounces-1@vger.kernel.org',
    headers: ['List-Id: <linux-kernel.vger.kernel.org>', 'Precedence: bulk'],
    body: `The reference is dropped twice on the error path.\nSigned-off-by: Linus Holm <linus@holm-kernel.dk>\nLink: https://lore.kernel.org/r/20260817.1@holm-kernel.dk`,
    isPlain: true,
  },
  {
    kind: 'list',
    from: 'Google Groups <noreply@googlegroups.com>',
    subject: 'Zusammenfassung für elternrat-lindau@googlegroups.com',
    returnPath: 'elternrat-lindau+bncBC@googlegroups.com',
    body: `3 neue Beiträge in 2 Themen.
    Gruppe besuchen -> https://groups.google.com/g/elternrat-lindau`,
  },
  {
    kind: 'forward',
    from: 'Jonas Falk <jonas.falk@gmail.com>',
    subject: 'Fwd: Ferienwohnung Bestätigung',
    returnPath: 'jonas.falk+caf_=bernd=firma@gmail.com',
    body: `Schau mal, hat geklappt!
    ---------- Forwarded message ---------
    Von: Ferienhof Egger <info@ferienhof-egger.at>
    Wir bestätigen Ihre Buchung vom 5. bis 12. September. https://www.ferienhof-egger.at/anreise`,
    isPlain: true,
  },
  {
    kind: 'forward',
    from: 'Sabine Roth <sabine@roth-architektur.de>',
    subject: 'WG: Pläne Erdgeschoss',
    auth: 'spf=softfail smtp.mailfrom=roth-architektur.de; dkim=pass header.d=roth-architektur.de; dmarc=pass (p=NONE) header.from=roth-architektur.de',
    body: `Hallo Bernd, zur Kenntnis. Sabine`,
    files: [pdf('EG_Plan_4.pdf')],
    isPlain: true,
  },
  {
    kind: 'forward',
    from: 'Tom Weiss <tom.weiss@yahoo.com>',
    subject: 'Fwd: your parcel',
    auth: 'spf=fail smtp.mailfrom=yahoo.com; dkim=pass header.d=yahoo.com; dmarc=pass (p=REJECT) header.from=yahoo.com',
    body: `Is this yours? It came to my address.
    > Your parcel from Buchhandlung Kaiser is on its way. https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html`,
    isPlain: true,
  },
  {
    kind: 'ticket',
    from: 'Kartenwerk Support <support@kartenwerk.zendesk.com>',
    subject: '[Kartenwerk] Re: Export als GPX',
    returnPath: 'x@zendesk.com',
    body: `##- Bitte geben Sie Ihre Antwort oberhalb dieser Linie ein. -##
    Hallo Bernd, der Export steht jetzt im Menü unter Datei. Viele Grüße, Lena
    Anfrage ansehen -> https://kartenwerk.zendesk.com/hc/requests/8812`,
  },
  {
    kind: 'ticket',
    from: 'Jira <jira@kartenwerk.atlassian.net>',
    subject: '[JIRA] (KW-311) Karte lädt doppelt',
    body: `Lena Voss changed the status to Done.
    View issue -> https://kartenwerk.atlassian.net/browse/KW-311`,
  },
  {
    kind: 'ticket',
    from: 'GitLab <noreply@git.firma-werkzeug.de>',
    subject: 'werkzeug | Pipeline failed for main',
    replyTo: 'reply+5@git.firma-werkzeug.de',
    body: `Pipeline #20114 failed in stage test.
    git.firma-werkzeug.de -> https://git.firma-werkzeug.de/werkzeug/-/pipelines/20114`,
  },
  {
    kind: 'ticket',
    from: 'WordPress <wordpress@tischlerei-ott.de>',
    subject: 'Kontaktformular: Anfrage Einbauschrank',
    replyTo: 'familie.merz@web.de',
    body: `Name: Familie Merz. Telefon: 08382 9911. Nachricht: Wir hätten gern ein Angebot für einen Einbauschrank, 2,40 m breit.`,
    isPlain: true,
  },
  {
    kind: 'ticket',
    from: 'root <root@web01>',
    subject: 'Cron <root@web01> certbot renew',
    body: `Saving debug log to /var/log/letsencrypt/letsencrypt.log\nCert not yet due for renewal`,
    isPlain: true,
    returnPath: 'root@web01',
    auth: 'none',
  },
  {
    kind: 'bank',
    from: 'Sparkasse Westmünsterland <info@sparkasse-westmuensterland.de>',
    subject: 'Neue Nachricht in Ihrem elektronischen Postfach',
    body: `Sehr geehrter Herr Falk, in Ihrem Postfach liegt eine neue Mitteilung. Bitte melden Sie sich wie gewohnt im Online-Banking an; aus Sicherheitsgründen enthält diese Mail keinen Link.`,
  },
  {
    kind: 'bank',
    from: 'N26 <noreply@n26.com>',
    subject: 'Your statement for July is ready',
    body: `Hi Bernd, your July statement is in the app.
    Open the app -> https://n26.com/app/statements`,
  },
  {
    kind: 'bank',
    from: 'Chase <no.reply.alerts@chase.com>',
    subject: 'Your credit card payment is scheduled',
    body: `We will take $120.00 on Aug 25 for your card ending in 1180.
    See details -> https://secure.chase.com/web/auth/dashboard`,
  },
  {
    kind: 'bank',
    from: 'American Express <AmericanExpress@welcome.americanexpress.com>',
    subject: 'Your statement is ready to view',
    body: `Your card ending 41007. New balance 512,20 €.
    View statement -> https://www.americanexpress.com/de-de/account/login`,
  },
  {
    kind: 'delivery',
    from: 'DHL Paket <noreply@dhl.de>',
    subject: 'Ihr Paket kommt morgen',
    body: `Guten Tag, Ihr Paket von Musikhaus Sander kommt am Mittwoch zwischen 10 und 13 Uhr.
    Sendung verfolgen -> https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode=0034`,
  },
  {
    kind: 'delivery',
    from: 'UPS <mcinfo@ups.com>',
    subject: 'UPS Update: Package Scheduled for Delivery Tomorrow',
    body: `Your package is arriving Wednesday by 7:00 PM. From: SANDER.
    Track -> https://www.ups.com/track?loc=de_DE&tracknum=1Z`,
  },
  {
    kind: 'delivery',
    from: 'Hofladen Egger <bestellung@hofladen-egger.at>',
    subject: 'Ihre Kiste wird heute gebracht',
    body: `Hallo, heute zwischen 15 und 18 Uhr bringt Sepp die Gemüsekiste. Bitte stellen Sie die leere Kiste vor die Tür.
    https://www.hofladen-egger.at/kiste -> https://www.hofladen-egger.at/kiste`,
  },
  {
    kind: 'delivery',
    from: 'DPD <noreply@service.dpd.de>',
    subject: 'Ihr DPD Paket ist unterwegs',
    body: `Hallo, der Fahrer hat noch 14 Stopps bis zu Ihnen.
    Live verfolgen -> https://my.dpd.de/redirect.aspx?action=1`,
  },
  {
    kind: 'personal',
    from: 'Oma Helga <helga.falk@t-online.de>',
    subject: 'Sonntag',
    body: `Lieber Bernd, kommt ihr am Sonntag zum Kaffee? Ich backe Zwetschgendatschi. Oma`,
    isPlain: true,
  },
  {
    kind: 'personal',
    from: 'Anna Chase <anna.chase@outlook.com>',
    subject: 'Photos from the lake',
    body: `Here are the photos! The one with the boat is my favourite. https://photos.app.goo.gl/Ab3 Love, Anna`,
    files: [
      { type: 'image/jpeg', content: Buffer.from('ffd8ffe000104a464946', 'hex'), filename: 'IMG_2211.jpg' },
    ],
    isPlain: true,
  },
  {
    kind: 'personal',
    from: 'Karl <karl.ledger@posteo.de>',
    subject: 'Re: Dachrinne',
    body: `Morgen um acht passt. Ich bringe die lange Leiter mit. Video, wie man es macht: https://youtu.be/dQw4w9WgXcQ`,
    isPlain: true,
  },
  {
    kind: 'personal',
    from: '李明 <liming@qq.com>',
    subject: '周末见',
    body: '周六下午三点在老地方见面，别忘了带书。',
    isPlain: true,
  },
  {
    kind: 'agency',
    from: 'IKEA Family <noreply@news.email.ikea.de>',
    subject: 'Deine Punkte im August',
    returnPath: 'b@bounce.email.ikea.de',
    body: `Hej Bernd, du hast 140 Punkte.
    Zum Konto -> https://click.news.email.ikea.de/?qs=abc`,
  },
  {
    kind: 'agency',
    from: 'Stadtwerke Lindau <umfrage@umfragebuero-seeblick.de>',
    subject: 'Wie zufrieden sind Sie mit uns?',
    replyTo: 'service@sw-lindau.de',
    body: `Im Auftrag der Stadtwerke fragen wir Sie nach Ihrer Zufriedenheit. Die Teilnahme dauert vier Minuten.
    Zur Umfrage -> https://umfragebuero-seeblick.de/u/sw26`,
  },
  {
    kind: 'agency',
    from: 'Deutsche Bahn <newsletter@mail.bahn.de>',
    subject: 'Sparpreise für den Herbst',
    returnPath: 'r@bounce.mailing.bahn.de',
    headers: UNSUBSCRIBE('https://mailing.bahn.de/u'),
    body: `Ab 17,90 € durch Deutschland.
    bahn.de -> https://mailing.bahn.de/go/1/abc
    Jetzt buchen -> https://mailing.bahn.de/go/1/def`,
  },
  {
    kind: 'agency',
    from: 'Decathlon <deals@kampagne-nordwind.de>',
    subject: 'Einladung zur Filialeröffnung in Lindau',
    replyTo: 'presse@decathlon.de',
    body: `Am 5. September eröffnet die neue Filiale. Kommen Sie zum Probefahren.
    Mehr erfahren -> https://kampagne-nordwind.de/decathlon-lindau`,
  },
];
