/* Kinds of characters, in the locale "C". */

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
int isprint(int c) { return c >= ' ' && c < 127; }
int isgraph(int c) { return c > ' ' && c < 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isascii(int c) { return (c & ~127) == 0; }
int toascii(int c) { return c & 127; }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }
int _tolower(int c) { return tolower(c); }
int _toupper(int c) { return toupper(c); }

/* What glibc's macros look into: for each value of a `char` and of an `unsigned char`, from -128 to 255, its kinds as bits, and
 * its other case. */
#define IN(c, lo, hi) ((c) >= (lo) && (c) <= (hi))
#define UPPER(c) IN(c, 'A', 'Z')
#define LOWER(c) IN(c, 'a', 'z')
#define DIGIT(c) IN(c, '0', '9')
#define GRAPH(c) IN(c, 33, 126)
#define LETTER(c) (UPPER(c) || LOWER(c))
#define KINDS(c)                                                                                            \
  (UPPER(c) << 8 | LOWER(c) << 9 | LETTER(c) << 10 | DIGIT(c) << 11 |                                       \
   (DIGIT(c) || IN(c, 'a', 'f') || IN(c, 'A', 'F')) << 12 | ((c) == ' ' || IN(c, 9, 13)) << 13 |            \
   IN(c, 32, 126) << 14 | GRAPH(c) << 15 | ((c) == ' ' || (c) == 9) << 0 | (IN(c, 0, 31) || (c) == 127) << 1 | \
   (GRAPH(c) && !LETTER(c) && !DIGIT(c)) << 2 | (LETTER(c) || DIGIT(c)) << 3)
#define LOWERED(c) (UPPER(c) ? (c) + 32 : (c))
#define RAISED(c) (LOWER(c) ? (c) - 32 : (c))
#define FOUR(of, c) of(c), of((c) + 1), of((c) + 2), of((c) + 3)
#define SIXTEEN(of, c) FOUR(of, c), FOUR(of, (c) + 4), FOUR(of, (c) + 8), FOUR(of, (c) + 12)
#define SIXTY_FOUR(of, c) SIXTEEN(of, c), SIXTEEN(of, (c) + 16), SIXTEEN(of, (c) + 32), SIXTEEN(of, (c) + 48)
/* -1 is the end of a file; other negative values are the upper half once more. */
#define HIGH(c) ((c) == -1 ? -1 : (c) + 256)
#define NO_KIND(c) 0
static const unsigned short kinds[384] = {
    SIXTY_FOUR(NO_KIND, -128), SIXTY_FOUR(NO_KIND, -64), SIXTY_FOUR(KINDS, 0),
    SIXTY_FOUR(KINDS, 64),     SIXTY_FOUR(KINDS, 128),   SIXTY_FOUR(KINDS, 192)};
static const int lowered[384] = {
    SIXTY_FOUR(HIGH, -128),  SIXTY_FOUR(HIGH, -64),    SIXTY_FOUR(LOWERED, 0),
    SIXTY_FOUR(LOWERED, 64), SIXTY_FOUR(LOWERED, 128), SIXTY_FOUR(LOWERED, 192)};
static const int raised[384] = {
    SIXTY_FOUR(HIGH, -128), SIXTY_FOUR(HIGH, -64),   SIXTY_FOUR(RAISED, 0),
    SIXTY_FOUR(RAISED, 64), SIXTY_FOUR(RAISED, 128), SIXTY_FOUR(RAISED, 192)};
static const unsigned short *const kinds_of = kinds + 128;
static const int *const lowered_of = lowered + 128, *const raised_of = raised + 128;
const unsigned short **__ctype_b_loc(void) { return (const unsigned short **)&kinds_of; }
const int **__ctype_tolower_loc(void) { return (const int **)&lowered_of; }
const int **__ctype_toupper_loc(void) { return (const int **)&raised_of; }
size_type __ctype_get_mb_cur_max(void) { return 1; }
