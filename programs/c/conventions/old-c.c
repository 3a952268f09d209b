/* title: what C allowed before 1999 is taken as it was meant, and told
 * check: holds
 * explore: holds
 * prove: proved
 * assumes: functions that are not declared return `int`
 */
int counter;

add(n)
int n;
{
  counter += n;
  return next(counter);
}

int next(int n)
{
  return n + 1;
}

main()
{
  __goblint_check(add(2) == 3);
  return 0;
}
