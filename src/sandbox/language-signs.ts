/** The signs that distinguish languages of one script: frequent words, also greetings and labels of programs, and letters beyond a to z. */

export interface Signs {
  /** Lower case, separated by blanks. */
  readonly words: string;
  /** Lower case. For Cyrillic alphabets all letters, for Latin ones those that English lacks. */
  readonly letters: string;
}

export const SIGNS: Readonly<Record<string, Signs>> = {
  en: {
    words:
      'the a and of to is in you that it for with this not are hello hi please your was be on have has i we they he she my me can will from at by an as or but what how good morning day welcome thank thanks world new our all there here no yes do if his her who when where which would today save cancel settings edit delete open close search help next back submit send password username sign log required learn',
    letters: '',
  },
  de: {
    words:
      'der die das und ist nicht ein eine mit für auf sie wir den hallo bitte ich zu von guten tag morgen abend danke es im in dem des auch wie was wird sind haben hat war kein oder aber wenn ja nein willkommen uns heute wo wer bin du er nach bei aus über zum zur geht so welt speichern abbrechen einstellungen bearbeiten löschen öffnen schließen suche suchen hilfe weiter zurück senden passwort benutzername anmelden abmelden datei dateien ansicht drucken erforderlich wählen hinzufügen',
    letters: 'äöüß',
  },
  fr: {
    words:
      'le la les et est une des du de pas pour dans vous nous bonjour bonsoir avec sur que ce il un merci salut je tu elle qui ne au aux cette sont être plus par mais ou où votre notre comment oui non plaît monde enregistrer annuler paramètres modifier supprimer ouvrir fermer rechercher recherche aide suivant retour envoyer connexion déconnexion connecter fichier fichiers affichage imprimer obligatoire choisir ajouter utilisateur',
    letters: 'àâæçéèêëîïôœùûüÿ',
  },
  es: {
    words:
      'el los las la y es una por para con no del hola usted que en se como está un de buenos días buenas tardes noches gracias adiós muy pero más su lo al yo qué cómo sí mi este esta son hay mundo guardar cancelar configuración ajustes editar eliminar abrir cerrar buscar ayuda siguiente atrás enviar contraseña usuario iniciar sesión archivo archivos imprimir obligatorio elegir añadir aceptar',
    letters: 'áéíñóúü',
  },
  pt: {
    words:
      'o os a as e é uma por para com não do da de olá você que em se como está um bom dia boa tarde noite obrigado obrigada muito mas mais seu sua ao eu sim no na este esta são há mundo guardar cancelar configurações editar excluir abrir fechar pesquisar ajuda voltar enviar senha',
    letters: 'àáâãçéêíóôõú',
  },
  it: {
    words:
      'il lo gli e è una per con non del della di ciao che sono come questo questa un la buongiorno buonasera buona sera grazie prego molto ma più suo io tu sì mi ci si le i da ha al mondo salva annulla impostazioni modifica elimina apri chiudi cerca aiuto avanti indietro invia accedi',
    letters: 'àèéìíîòóùú',
  },
  nl: {
    words:
      'de het een en is in niet voor met op van hallo je zijn dat dit wij naar ook goedemorgen goedendag goedenavond goede morgen dag dank bedankt alstublieft ik u hij ze maar of aan uit bij wat hoe waar nog geen wel er om te kom uur worden wereld opslaan annuleren instellingen bewerken verwijderen openen sluiten zoeken volgende terug verzenden wachtwoord',
    letters: 'éèëïöüĳ',
  },
  pl: {
    words:
      'i w na nie jest to się z do że proszę dla jak witaj ten od dzień dobry wieczór cześć dziękuję ja ty on ona są czy ale lub co tak po świat',
    letters: 'ąćęłńóśźż',
  },
  cs: {
    words:
      'a je v na se to že pro s ne ahoj prosím jak není tento dobrý den večer ráno děkuji já ty jsem jsou ale nebo co ano po do který svět',
    letters: 'áčďéěíňóřšťúůýž',
  },
  da: {
    words:
      'og i er en et det ikke på til med for hej af den dette jeg god goddag godmorgen morgen dag aften tak du vi de har kan som men eller hvad hvordan også nej ja hvor at verden',
    letters: 'æøåé',
  },
  et: {
    words:
      'ja on ei see et tere ning või kui mis ma palun hommikust päevast õhtust aitäh sa ta me te nad oli ka aga kes kuidas maailm',
    letters: 'äõöüšž',
  },
  fi: {
    words:
      'ja on ei se että hei tämä kun mutta oli kiitos hyvää päivää huomenta iltaa moi minä sinä hän me te he ovat myös mitä miten kyllä kello nyt maailma',
    letters: 'äöåšž',
  },
  hu: {
    words:
      'a az és nem egy hogy van ez szia kérem meg jó napot reggelt estét köszönöm én te ő mi ti de vagy mint igen is világ',
    letters: 'áéíóöőúüű',
  },
  lt: {
    words:
      'ir yra ne tai į su kad labas prašome laba diena rytas vakaras ačiū aš tu jis ji mes jūs bet ar kaip taip iš pasaulis',
    letters: 'ąčęėįšųūž',
  },
  lv: {
    words:
      'un ir ne tas ar par ka sveiki lūdzu labdien labrīt labvakar paldies es tu viņš mēs jūs bet vai kā jā no uz pasaule',
    letters: 'āčēģīķļņšūž',
  },
  ro: {
    words:
      'și este nu un o pe cu pentru salut vă rog la din bună ziua dimineața seara mulțumesc eu tu el noi sunt dar sau ce cum da mai lume',
    letters: 'ăâîșțşţ',
  },
  sk: {
    words:
      'a je v na sa to že pre s nie ahoj prosím ako dobrý deň večer ráno ďakujem ja ty som sú ale alebo čo áno po do ktorý svet',
    letters: 'áäčďéíĺľňóôŕšťúýž',
  },
  sl: {
    words:
      'in je v na se to da za z ne pozdravljeni prosim kako dober dan jutro večer hvala jaz ti on smo so ampak ali kaj po svet živjo',
    letters: 'čšž',
  },
  sv: {
    words:
      'och i är en ett det inte på till med för hej av den jag god morgon dag kväll tack du vi de har kan som men eller vad hur också nej ja var att världen',
    letters: 'åäöé',
  },
  tr: {
    words:
      've bir bu için ile değil merhaba lütfen ne çok da günaydın iyi günler akşamlar teşekkürler ben sen o biz var yok ama veya nasıl evet dünya',
    letters: 'çğıöşüâîû',
  },
  id: {
    words:
      'dan yang di ini itu tidak dengan untuk halo dari adalah silakan selamat pagi siang malam terima kasih saya kamu anda dia kami ada juga atau tetapi apa bagaimana ya dunia',
    letters: '',
  },
  nb: {
    words:
      'og i er en et det ikke på til med for hei av den jeg god morgen dag kveld takk du vi de har kan som men eller hva hvordan også nei ja hvor at verden',
    letters: 'æøåéòôó',
  },
  vi: {
    words:
      'và là của không một có cho xin chào được tôi bạn buổi sáng cảm ơn này đó với các những người',
    letters: 'àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ',
  },
  ru: {
    words:
      'и в не на что это с как привет для добрый день утро вечер доброе спасибо здравствуйте я ты он мы вы но или да нет пожалуйста мир',
    letters: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  },
  uk: {
    words:
      'і в не на що це з як привіт для доброго дня ранку добрий день вечір дякую вітаю я ти він ми ви але або так ні будь ласка світ',
    letters: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя',
  },
  bg: {
    words:
      'и в не на че това с как здравей за добър ден добро утро вечер благодаря аз ти той ние вие но или да моля свят',
    letters: 'абвгдежзийклмнопрстуфхцчшщъьюя',
  },
};
