/* title: an argument that may not be there is read
 * check: out-of-bounds
 * explore: out-of-bounds
 * prove: refused, the command-line arguments
 */
int main(int argc, char **argv)
{
	return argv[1] == argv[0];
}
