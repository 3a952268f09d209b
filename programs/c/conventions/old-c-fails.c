/* title: an assertion in old C that does not hold
 * check: assertion
 * explore: assertion
 * prove: alarm
 */
main()
{
  __goblint_check(twice(2) == 5);
  return 0;
}

int twice(int n)
{
  return 2 * n;
}
